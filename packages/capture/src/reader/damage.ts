/** Something in a file that no recorder of ours writes; `asFormatError` names the file. */
export class Damage extends Error {}
