/** What merging asks of an encoding; each answer is a token's rank, NO_RANK where no token has these bytes. */
export interface Joins {
  rankOfByte(byte: number): number;
  rankOfBytePair(first: number, second: number): number;
  /** Of the token of three or more bytes that is merged from `left` and `right`. */
  rankOfJoined(left: number, right: number): number;
}
