// Goes when the first source comes.
