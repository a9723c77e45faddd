import { Gns3Error } from './gns3-error';

/** A refused password is not tried again for this long: retries could lock the account. */
const REFUSED_LOGIN_MS = 10_000;

/**
 * The token of a service login, shared by every call of a client. However many calls find the token
 * expired at once, one login is made and all of them get its token.
 */
export class ServiceLogin {
  #token: string | undefined;
  #pending: Promise<string> | undefined;
  #refusal: { error: Gns3Error; atMs: number } | undefined;

  constructor(
    private readonly login: () => Promise<string>,
    private readonly now: () => number = Date.now,
  ) {}

  /** The present token, or a new one if there is none or the present one is the `rejected` one. */
  async token(rejected?: string): Promise<string> {
    if (this.#token !== undefined && this.#token !== rejected) return this.#token;
    if (this.#refusal !== undefined && this.now() - this.#refusal.atMs < REFUSED_LOGIN_MS) {
      throw this.#refusal.error;
    }
    this.#pending ??= this.renew().finally(() => (this.#pending = undefined));
    return this.#pending;
  }

  private async renew(): Promise<string> {
    try {
      this.#token = await this.login();
      this.#refusal = undefined;
      return this.#token;
    } catch (error) {
      this.#token = undefined;
      if (error instanceof Gns3Error && error.code === 'unauthorized') {
        this.#refusal = { error, atMs: this.now() };
      }
      throw error;
    }
  }
}
