theorem goal : True := trivial
