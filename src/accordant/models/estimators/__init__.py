"""The models, one file each: what each assumes about coders and items."""
