"""What several scripts in Tools/ share; a script finds it by putting Tools/ on its import path."""
