// How rollups name what is no meter's key and no cell's values.

/** The key of a service's own meter in rollups. */
export const ownKey = '';
/** The key under which all events count that are not the own meter's, each once, however many meters it feeds. No meter has it. */
export const allKey = '*';
/** The cell of a meter without dimensions; of a level with dimensions, of all its events together. */
export const wholeCell = '';
