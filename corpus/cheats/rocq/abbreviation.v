Notation goal := I.
