Definition both (p q : Prop) : Prop := p /\ q.
