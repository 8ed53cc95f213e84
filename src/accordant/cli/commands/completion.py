"""`accordant completion`: the script that teaches a shell our commands and options."""

from __future__ import annotations

import click

from ..group import command

__all__ = ["completion"]

SHELLS = ("bash", "zsh", "fish")
WHERE = {
    "bash": "~/.local/share/bash-completion/completions/accordant",
    "zsh": "~/.zfunc/_accordant",
    "fish": "~/.config/fish/completions/accordant.fish",
}


@command(
    examples=(
        (f"accordant completion bash > {WHERE['bash']}", "bash, from the next shell on"),
        (f"accordant completion zsh > {WHERE['zsh']}",
         "zsh; ~/.zshrc needs: fpath=(~/.zfunc $fpath); autoload -Uz compinit && compinit"),
        (f"accordant completion fish > {WHERE['fish']}", "fish, at once"),
        ('eval "$(accordant completion bash)"', "only for this shell"),
    )
)  # fmt: skip
@click.argument("shell", type=click.Choice(SHELLS))
@click.pass_context
def completion(context: click.Context, shell: str) -> None:
    """Print the script for completion in a shell.

    With it, the Tab key completes commands, options and their values. Put what is printed where
    your shell looks for completions, as below; the folder must exist.
    """
    from click.shell_completion import get_completion_class

    script = get_completion_class(shell)
    root = context.find_root()
    if script is not None:
        made = script(root.command, {}, "accordant", "_ACCORDANT_COMPLETE")
        click.echo(made.source_template % made.source_vars())
