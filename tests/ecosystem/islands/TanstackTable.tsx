import { createColumnHelper, flexRender, getCoreRowModel, getSortedRowModel, useReactTable } from "@tanstack/react-table";

const helper = createColumnHelper<{ name: string; price: number }>();
const columns = [helper.accessor("name", { header: "Name" }), helper.accessor("price", { header: "Price" })];
const data = [
  { name: "Rye", price: 4 },
  { name: "Spelt", price: 5 },
];

export default function TanstackTable() {
  const table = useReactTable({
    data,
    columns,
    getCoreRowModel: getCoreRowModel(),
    getSortedRowModel: getSortedRowModel(),
  });
  const rows = table.getRowModel().rows;
  return (
    <>
      <button type="button" data-act onClick={() => table.setSorting([{ id: "price", desc: true }])}>
        Sort
      </button>
      <table>
        <thead>
          {table.getHeaderGroups().map((group) => (
            <tr key={group.id}>
              {group.headers.map((header) => (
                <th key={header.id}>{flexRender(header.column.columnDef.header, header.getContext())}</th>
              ))}
            </tr>
          ))}
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.id}>
              {row.getVisibleCells().map((cell) => (
                <td key={cell.id}>{flexRender(cell.column.columnDef.cell, cell.getContext())}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {rows[0]!.original.name === "Spelt" && <p data-done>sorted</p>}
    </>
  );
}
