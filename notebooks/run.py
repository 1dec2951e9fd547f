"""Run the notebooks of this folder, or those named: python run.py [--check] [NOTEBOOK...]

Each runs from its beginning and fails if a cell does. The outputs are written into it, except
with --check.
"""

import argparse
import sys
from pathlib import Path

import nbclient
import nbformat


def main() -> None:
    here = Path(__file__).resolve().parent
    p = argparse.ArgumentParser(description="run the notebooks of this folder")
    p.add_argument("--check", action="store_true", help="leave the files as they are")
    p.add_argument("notebooks", nargs="*", type=Path, default=sorted(here.glob("*.ipynb")))
    args = p.parse_args()
    for path in args.notebooks:
        notebook = nbformat.read(path, as_version=4)
        try:
            nbclient.NotebookClient(notebook, timeout=1800, kernel_name="python3", resources={"metadata": {"path": here}}).execute()
        except nbclient.exceptions.CellExecutionError as error:
            sys.exit(f"{path.name}: {error}")
        if not args.check:
            for cell in notebook.cells:
                cell.metadata.pop("execution", None)  # times of day
                for output in cell.get("outputs", []):
                    if "image/svg+xml" in output.get("data", {}):
                        # The others are the same picture again.
                        output.data = {"image/svg+xml": output.data["image/svg+xml"], "text/plain": "a picture"}
            nbformat.write(notebook, path)
        print(f"{path.name}: {sum(c.cell_type == 'code' for c in notebook.cells)} cells ran")


if __name__ == "__main__":
    main()
