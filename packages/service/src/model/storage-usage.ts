/** Size of the database and free space on its disk, in bytes. */
export interface StorageUsage {
  readonly databaseBytes: number;
  /** Absent if the database is on another machine. */
  readonly freeBytes?: number;
}
