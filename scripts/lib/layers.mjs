/** From the outside in: whoever uses another layer is stopped before it. Services are last. */
const STOP_ORDER = ['gateway', 'agents', 'tools', 'demo', 'services'];

/**
 * What is up, or still coming up, in the order in which it must be taken down. A member is an object with
 * `stop(force)`, or a promise of one; a promise that fails has cleaned up after itself.
 */
export class Layers {
  #members = new Map(STOP_ORDER.map((layer) => [layer, []]));

  add(layer, ...members) {
    this.#members.get(layer).push(...members);
  }

  /** Stops layer after layer; with `force` all at once and without waiting for anybody's last words. */
  async stop(force = false) {
    const layers = [...this.#members.values()];
    if (force) return this.#stopAll(layers.flat(), true);
    for (const members of layers) await this.#stopAll(members, false);
  }

  async #stopAll(members, force) {
    await Promise.all(
      members.map(async (member) => {
        const running = await Promise.resolve(member).catch(() => undefined);
        await running?.stop(force);
      }),
    );
  }
}
