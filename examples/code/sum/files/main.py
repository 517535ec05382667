# Write the program here.
