"""``python -m grape_gnn`` is the command ``grape``: `torchrun` starts it so, several times."""

from grape_command import main

if __name__ == "__main__":
    main()
