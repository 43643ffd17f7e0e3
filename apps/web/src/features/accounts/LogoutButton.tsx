import { Button } from '@mantine/core';
import { IconLogout } from '@tabler/icons-react';
import { useLogout } from './api.ts';

export function LogoutButton() {
  const logout = useLogout();
  return (
    <Button
      variant="default"
      fullWidth
      leftSection={<IconLogout size={18} stroke={1.8} />}
      disabled={logout.isPending}
      onClick={() => logout.mutate()}
    >
      Logout
    </Button>
  );
}
