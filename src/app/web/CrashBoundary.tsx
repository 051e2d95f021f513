// Catches a screen's rendering error and shows the router's error screen in its place; the frame stays.
import { Component, type ReactNode } from 'react';
import { Crash } from './screens/Crash.tsx';

export class CrashBoundary extends Component<
  { children: ReactNode },
  { error: unknown; hasFailed: boolean }
> {
  override state = { error: undefined, hasFailed: false };

  static getDerivedStateFromError(error: unknown) {
    return { error, hasFailed: true };
  }

  override render(): ReactNode {
    return this.state.hasFailed ? <Crash error={this.state.error} /> : this.props.children;
  }
}
