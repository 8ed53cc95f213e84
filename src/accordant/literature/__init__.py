"""The literature that measures, models and procedures rest on."""
