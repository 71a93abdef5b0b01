// Entries that give way to later ones. `lru.web.ts` is smaller, for bundles.
export { LRUCache } from "lru-cache";
