/** An answer other than success, in the shape of the real server: `{"message": ...}`. */
export class Gns3Refusal extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
  }
}

export const notAuthenticated = (message: string): Gns3Refusal =>
  new Gns3Refusal(401, message, { 'www-authenticate': 'Bearer' });
