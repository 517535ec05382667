//! What configurations and verdicts say of single systems.

crate::choice!(
    /// The server that runs Lean's tactics.
    #[derive(Default)]
    LeanBackend {
        /// Pantograph where it is found and works with the project's Lean, since it is the fastest; otherwise Lean's own server.
        #[default]
        Auto = "auto",
        /// Lean's own language server.
        Server = "server",
        /// Pantograph, where the project has it or it is on `PATH`.
        Pantograph = "pantograph",
        /// The community's REPL, where the project has it or it is on `PATH`.
        Repl = "repl",
    }
);

crate::choice!(
    /// For which universes a polymorphic theorem of Rocq has to be proved that does not name them itself.
    #[derive(Default)]
    Universes {
        /// For those that Rocq finds in statement and proof together: they may be bounded by universes of installed libraries,
        /// as every proof with `rewrite` bounds them by that of `eq`.
        #[default]
        AsRocq = "as-rocq",
        /// For all that its statement allows.
        AsStated = "as-stated",
    }
);
