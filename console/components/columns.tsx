interface ColumnsProps {
  /** The name of each column, with its classes. */
  readonly names: readonly (readonly [name: string, classes?: string])[];
}

/** The head of a table. */
export const ColumnHeads = ({ names }: ColumnsProps) => (
  <thead>
    <tr>
      {names.map(([name, classes]) => (
        <th key={name} scope="col" class={classes}>
          {name}
        </th>
      ))}
    </tr>
  </thead>
);
