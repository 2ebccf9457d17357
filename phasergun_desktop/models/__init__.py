"""Models: the catalogue of model files, fetched and checked by digest."""
