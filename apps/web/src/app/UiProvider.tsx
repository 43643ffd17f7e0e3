import '../styles/mantine.css';
import { MantineProvider, ModalStack } from '@mantine/core';
import type { ReactNode } from 'react';
import { UnsavedChangesGuard } from '../components/UnsavedChangesGuard.tsx';
import { createThemeManager } from '../lib/theme.ts';
import { cssVariablesResolver, mantineTheme } from '../styles/mantine-theme.ts';

const themeManager = createThemeManager();

/** Mantine with our theme, and what all its pages share. The landing page and the pages for families do without it. */
export function UiProvider({ children }: { children: ReactNode }) {
  return (
    <MantineProvider
      theme={mantineTheme}
      defaultColorScheme="light"
      colorSchemeManager={themeManager}
      cssVariablesResolver={cssVariablesResolver}
    >
      <ModalStack>
        {children}
        <UnsavedChangesGuard />
      </ModalStack>
    </MantineProvider>
  );
}
