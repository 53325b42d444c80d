// Colours, symbols and dashes: series differ by more than colour, so that neither print nor colour blindness hides
// which is which. The colours are theme.css's, for light and dark.
import {
  symbol,
  symbolCircle,
  symbolCross,
  symbolDiamond,
  symbolSquare,
  symbolStar,
  symbolTriangle,
  symbolWye,
  type SymbolType,
} from "d3-shape";

export const MOST_LOOKS = 8;
const SYMBOLS: SymbolType[] = [
  symbolCircle,
  symbolTriangle,
  symbolSquare,
  symbolDiamond,
  symbolCross,
  symbolStar,
  symbolWye,
];
const DASHES = ["none", "7 3", "2 3", "9 3 2 3", "4 2", "12 3", "5 3 1 3 1 3", "1 2"];

export interface Look {
  colour: string;
  symbol: SymbolType;
  path: string;
  dash: string;
}

// The k-th series. From the ninth on colours come again, with other symbols and dashes.
export function look(k: number): Look {
  const turn = k + 3 * Math.floor(k / MOST_LOOKS);
  const kind = SYMBOLS[turn % SYMBOLS.length] ?? symbolCircle;
  return {
    colour: `var(--series-${(k % MOST_LOOKS) + 1})`,
    symbol: kind,
    path: symbol(kind, 52)() ?? "",
    dash: DASHES[turn % DASHES.length] ?? "none",
  };
}

// What stands back behind the series that matter.
export const PALE: Look = { ...look(0), colour: "var(--pale)", dash: "none" };
