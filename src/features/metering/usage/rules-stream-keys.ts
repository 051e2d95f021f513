// Reserved names in rollups, which no meter key and no cell values use.

/** The key of a service's own meter in rollups. */
export const ownKey = '';
/**
 * The key under which all events that are not the own meter's are counted, each once however many meters it
 * feeds. No meter has this key.
 */
export const allKey = '*';
/**
 * The cell of a meter without dimensions; for a level with dimensions, the cell of all its events together.
 */
export const wholeCell = '';
