import { Button, type ButtonProps } from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import type { Ref } from 'react';

interface Props extends ButtonProps {
  ref?: Ref<HTMLAnchorElement>;
}

function AnchorButton(props: Props) {
  return <Button component="a" {...props} />;
}

/** A link that looks like a button, with type-checked routes. */
export const ButtonLink = createLink(AnchorButton);
