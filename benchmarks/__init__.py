"""Measurements of speed and memory; each module runs on its own by ``python -m``."""
