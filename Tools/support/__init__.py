"""Code shared by scripts in Tools/, which put Tools/ on their import path to find it."""
