import '../styles/mantine.css';
import { MantineProvider, ModalStack } from '@mantine/core';
import type { ReactNode } from 'react';
import { createThemeManager } from '../lib/theme.ts';
import { cssVariablesResolver, mantineTheme } from '../styles/mantine-theme.ts';
import { UnsavedChangesGuard } from './UnsavedChangesGuard.tsx';

const themeManager = createThemeManager();

/** Provides Mantine with our theme, and the guard for unsaved changes. The landing page and the family pages use neither. */
export function UiProvider({ children }: { children: ReactNode }) {
  return (
    <MantineProvider
      theme={mantineTheme}
      defaultColorScheme="auto"
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
