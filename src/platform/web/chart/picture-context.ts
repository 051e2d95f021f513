// Connects a chart to the card around it: how to take a picture of the chart.
import { createContext, type Dispatch, type SetStateAction } from 'react';

/** Creates a PNG with a title; rejects when the browser cannot. */
export type TakePicture = (title: string) => Promise<Blob>;

/** A chart registers its picture function here; undefined when it unmounts. */
export const PictureContext = createContext<Dispatch<SetStateAction<TakePicture | undefined>> | undefined>(
  undefined,
);
