"""The few windows that ask or tell something apart from the desk."""
