import { Button } from '@mantine/core';

interface Props {
  list: {
    hasNextPage: boolean;
    isFetchingNextPage: boolean;
    fetchNextPage: () => Promise<unknown>;
  };
}

/** The next page of a long list, while there is one. */
export function ShowMore({ list }: Props) {
  if (!list.hasNextPage) return null;
  return (
    <Button
      variant="subtle"
      disabled={list.isFetchingNextPage}
      onClick={() => void list.fetchNextPage()}
    >
      {list.isFetchingNextPage ? 'Loading...' : 'Show more'}
    </Button>
  );
}
