"""Match records written as text (``.mat``), so that they read back equal and other programs read them too."""

from games.rules.notation import Path
from games.rules.record import AUTOMATIC_DOUBLES, After, Cell, GameRecord, MatchRecord, Said


def write(match: MatchRecord) -> str:
    """``match`` as text that reads back equal, in the columns that JellyFish began: bar 25, off 0, one checker a
    token. Names are written as they are, so they must not hold line ends."""
    lines = [f'; [{key} "{value}"]' for key, value in match.headers]
    lines += [*([""] if lines else []), f" {match.length} point match"]
    for game in match.games:
        lines += ["", f" Game {game.number}", _score_line(game)]
        if game.automatic_doubles:
            lines.append(f'; [{AUTOMATIC_DOUBLES} "{game.automatic_doubles}"]')
        lines += _turns(game.cells)
    return "\n".join(lines) + "\n"


def _score_line(game: GameRecord) -> str:
    first, second = game.score or (0, 0)
    left = f"{game.names[0]} : {first}"
    return f" {left:<31}  {game.names[1]} : {second}"


def _turns(cells: tuple[Cell, ...]) -> list[str]:
    lines: list[str] = []
    number = 0
    left: str | None = None
    for cell in cells:
        text = _written(cell)
        if cell.said is Said.WINS:
            if left is not None:
                lines.append(left.rstrip())
                left = None
            lines.append(f"{'':<34}{text.strip()}" if cell.side == 2 else f"      {text.strip()}")
        elif cell.side == 1:
            if left is not None:
                lines.append(left.rstrip())
            number += 1
            left = f"{number:>3}) {text:<27} "
        else:
            if left is None:
                number += 1
                left = f"{number:>3}) {'':<27} "
            lines.append(left + text)
            left = None
    if left is not None:
        lines.append(left.rstrip())
    return lines


def _written(cell: Cell) -> str:
    points = f" {cell.number} point{'' if cell.number == 1 else 's'}" if cell.number is not None else ""
    match cell.said:
        case Said.ROLL:
            assert cell.dice is not None
            assert cell.after is not None
            behind = {
                After.PLAY: " ".join(_written_path(path) for path in cell.paths),
                After.NOTHING: "",
                After.CANNOT_MOVE: "Cannot Move",
                After.NOT_RECORDED: "????",
            }[cell.after]
            return f"{cell.dice[0]}{cell.dice[1]}: {behind}".rstrip()
        case Said.DOUBLE | Said.BEAVER | Said.RACCOON:
            to = f" => {cell.number}" if cell.number is not None else ""
            return f" {cell.said.value.capitalize()}s{to}"
        case Said.TAKE:
            return " Takes"
        case Said.DROP:
            return " Drops"
        case Said.WINS | Said.LOSES | Said.RESIGNS | Said.LOSES_ON_TIME:
            on_time = " on time" if cell.said is Said.LOSES_ON_TIME else ""
            verb = cell.said.value.partition("_")[0].capitalize()
            win = f" {cell.win}" if cell.said is Said.RESIGNS else f" ({cell.win})"
            return (
                f" {verb}{points}{on_time}{win if cell.win is not None else ''}{' and the match' if cell.match else ''}"
            )


def _written_path(path: Path) -> str:
    return "/".join(f"{point}*" if point in path.starred else str(point) for point in path.points)
