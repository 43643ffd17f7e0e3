import {
  type CSSVariablesResolver,
  createTheme,
  defaultVariantColorsResolver,
  type MantineColorsTuple,
  type VariantColorsResolver,
} from '@mantine/core';

const board: MantineColorsTuple = [
  '#EDF5F0',
  '#DAEAE1',
  '#B7D6C6',
  '#90C2AA',
  '#69AC8D',
  '#479473',
  '#2F7B5D',
  '#1F5F48',
  '#184D3A',
  '#10382A',
];

/* Shade 4 of both greys is Mantine's field border: at least 3:1 contrast with the card. */
const pencil: MantineColorsTuple = [
  '#F5F7F2',
  '#EDF0E9',
  '#E2E7DD',
  '#D2D9CE',
  '#84908A',
  '#737F78',
  '#5D6A62',
  '#45524A',
  '#2A362F',
  '#16221C',
];

const slate: MantineColorsTuple = [
  '#E8EFEA',
  '#C6D2CA',
  '#A3B3A9',
  '#7D8F84',
  '#6C7D73',
  '#2B3A32',
  '#18231E',
  '#111A16',
  '#0C1410',
  '#070D0A',
];

const redPen: MantineColorsTuple = [
  '#FDF0ED',
  '#FADFD9',
  '#F4BDB2',
  '#EE9888',
  '#E57461',
  '#D9543F',
  '#C43D29',
  '#B3321F',
  '#86261A',
  '#611B12',
];

/**
 * Buttons use our colour tokens, because Mantine bases the text colour on the light shade, which is wrong in the dark
 * theme.
 */
const variantColorResolver: VariantColorsResolver = (input) => {
  const border = '1px solid transparent';
  if (input.color === 'gray' && input.variant === 'subtle') {
    return { background: 'transparent', hover: 'var(--sunk)', color: 'var(--ink-2)', border };
  }

  const token = colorTokenOf(input.color);
  if (!token) return defaultVariantColorsResolver(input);

  switch (input.variant) {
    case 'filled':
      return {
        background: `var(--${token})`,
        hover: `var(--${token}-hover)`,
        color: `var(--on-${token})`,
        border,
      };
    case 'light':
      return {
        background: `var(--${token}-soft)`,
        hover: `var(--${token}-soft-2)`,
        color: `var(--${token}-ink)`,
        border,
      };
    case 'subtle':
      return {
        background: 'transparent',
        hover: `var(--${token}-soft)`,
        color: `var(--${token}-ink)`,
        border,
      };
    default:
      return defaultVariantColorsResolver(input);
  }
};

function colorTokenOf(color: string | undefined): 'board' | 'pen' | null {
  if (color === undefined || color === 'board') return 'board';
  return color === 'red' ? 'pen' : null;
}

export const mantineTheme = createTheme({
  primaryColor: 'board',
  primaryShade: { light: 7, dark: 3 },
  colors: { board, gray: pencil, dark: slate, red: redPen },
  white: '#FFFFFF',
  black: '#16221C',
  variantColorResolver,
  fontFamily: 'var(--font-text)',
  fontSizes: { xs: '0.75rem', sm: '0.875rem', md: '1rem', lg: '1.125rem', xl: '1.3125rem' },
  radius: { xs: '6px', sm: '8px', md: '11px', lg: '16px', xl: '22px' },
  defaultRadius: 'md',
  spacing: { xs: '8px', sm: '12px', md: '16px', lg: '24px', xl: '40px' },
  shadows: { md: 'var(--shadow-float)', lg: 'var(--shadow-float)', xl: 'var(--shadow-float)' },
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    // The default variant must be named explicitly; otherwise Mantine does not call the resolver above.
    Button: { defaultProps: { fw: 600, size: 'md', variant: 'filled' } },
    TextInput: { defaultProps: { size: 'md' } },
    Autocomplete: { defaultProps: { size: 'md' } },
    PasswordInput: {
      defaultProps: {
        size: 'md',
        visibilityToggleButtonProps: { 'aria-label': 'Show password' },
      },
    },
    Select: {
      defaultProps: {
        size: 'md',
        allowDeselect: false,
        checkIconPosition: 'right',
      },
    },
    /* With absolute positioning, a dropdown widens the page on a phone before it is placed, and the field and dropdown
       then move dozens of times. */
    Popover: { defaultProps: { floatingStrategy: 'fixed' } },
    Menu: {
      defaultProps: {
        radius: 'lg',
        shadow: 'md',
        // A menu may only contain menu items, and the placeholder is not one.
        withInitialFocusPlaceholder: false,
      },
    },
    Modal: {
      defaultProps: {
        radius: 'xl',
        overlayProps: { backgroundOpacity: 0.45 },
        transitionProps: { transition: 'slide-up', duration: 180 },
      },
    },
  },
});

const sharedVariables = {
  '--mantine-color-body': 'var(--paper)',
  '--mantine-color-text': 'var(--ink)',
  '--mantine-color-dimmed': 'var(--ink-2)',
  '--mantine-color-placeholder': 'var(--ink-3)',
  '--mantine-color-error': 'var(--pen)',
  '--mantine-color-default': 'var(--sheet)',
  '--mantine-color-default-color': 'var(--ink)',
  '--mantine-color-default-border': 'var(--line-2)',
  '--mantine-color-disabled': 'var(--sunk)',
  '--mantine-color-disabled-color': 'var(--ink-2)',
};

export const cssVariablesResolver: CSSVariablesResolver = () => ({
  variables: {},
  light: { ...sharedVariables, '--mantine-color-default-hover': 'var(--sunk)' },
  dark: { ...sharedVariables, '--mantine-color-default-hover': 'var(--sheet-2)' },
});
