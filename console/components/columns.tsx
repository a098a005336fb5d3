interface ColumnsProps {
  readonly names: readonly (readonly [name: string, classes?: string])[];
}

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
