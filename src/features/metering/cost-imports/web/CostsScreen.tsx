// placeholder while the screens are written
export const CostsScreen = () => null;
