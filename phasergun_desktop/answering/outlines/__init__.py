"""What a prompt or template asks for, cut into points by rule."""
