/** A table with its exported columns, and the reasons for excluding other columns. */
export interface ExportTable {
  readonly table: string;
  readonly columns: readonly string[];
  readonly excluded?: Readonly<Record<string, string>>;
}
