interface Node<V> {
  readonly key: string;
  readonly value: V;
  older: Node<V>;
  newer: Node<V>;
}

/**
 * A map of bounded size, which forgets what was touched longest ago.
 *
 * The order is a list of its own: to find the oldest key of a `Map`, one walks over the gaps that
 * every key moved or removed has left at its front.
 */
export class RecencyMap<V extends object> {
  readonly #maxEntries: number;
  readonly #nodes = new Map<string, Node<V>>();
  #oldest: Node<V> | undefined;

  constructor(maxEntries: number) {
    this.#maxEntries = maxEntries;
  }

  get size(): number {
    return this.#nodes.size;
  }

  /** What was touched longest ago. */
  get oldest(): readonly [key: string, value: V] | undefined {
    return this.#oldest && [this.#oldest.key, this.#oldest.value];
  }

  /** Reading leaves the order as it is. */
  get(key: string): V | undefined {
    return this.#nodes.get(key)?.value;
  }

  /** The value of a key, created where there is none; it is now the youngest. */
  touch(key: string, create: () => V): V {
    const known = this.#nodes.get(key);
    if (known) this.#unlink(known);
    else if (this.#oldest && this.#nodes.size >= this.#maxEntries) this.delete(this.#oldest.key);
    const node = known ?? createNode(key, create());
    this.#nodes.set(key, node);
    this.#append(node);
    return node.value;
  }

  delete(key: string): boolean {
    const node = this.#nodes.get(key);
    if (node === undefined) return false;
    this.#nodes.delete(key);
    this.#unlink(node);
    return true;
  }

  /** The list is a ring: what is older than the oldest is the youngest. */
  #append(node: Node<V>): void {
    const oldest = (this.#oldest ??= node);
    node.newer = oldest;
    node.older = oldest === node ? node : oldest.older;
    node.older.newer = node;
    oldest.older = node;
  }

  #unlink(node: Node<V>): void {
    if (node === this.#oldest) this.#oldest = node.newer === node ? undefined : node.newer;
    node.older.newer = node.newer;
    node.newer.older = node.older;
  }
}

function createNode<V>(key: string, value: V): Node<V> {
  const node = { key, value } as Node<V>;
  node.older = node;
  node.newer = node;
  return node;
}
