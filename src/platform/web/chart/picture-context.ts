// Between a chart and the card around it: how a picture of the chart is made.
import { createContext, type Dispatch, type SetStateAction } from 'react';

/** Makes a PNG with a title; rejects when the browser cannot. */
export type TakePicture = (title: string) => Promise<Blob>;

/** A chart says how to make its picture; undefined when it goes. */
export const PictureContext = createContext<Dispatch<SetStateAction<TakePicture | undefined>> | undefined>(
  undefined,
);
