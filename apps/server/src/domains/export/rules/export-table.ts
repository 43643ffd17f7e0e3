/** A table in the export with its exported columns, and why the other columns are excluded. */
export interface ExportTable {
  readonly table: string;
  readonly columns: readonly string[];
  readonly excluded?: Readonly<Record<string, string>>;
}
