import Trees.Basic
import Trees.Points
import Trees.Logic
import Trees.Use
