import { QueryClient, QueryClientProvider, useQuery } from "@tanstack/react-query";

const client = new QueryClient();

function Breads() {
  const { data, refetch } = useQuery({ queryKey: ["breads"], queryFn: async () => ["Rye"], enabled: false });
  return (
    <>
      <button type="button" data-act onClick={() => refetch()}>
        Load
      </button>
      {data && <p data-done>{data[0]}</p>}
    </>
  );
}

export default function TanstackQuery() {
  return (
    <QueryClientProvider client={client}>
      <Breads />
    </QueryClientProvider>
  );
}
