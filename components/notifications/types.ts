/** A notification as it is shown. Times in epoch milliseconds. */
export type Told = {
  id: string;
  createdAt: number;
  app: { appId: string; name: string };
  title: string;
  body: string;
  type: string;
  read: boolean;
};
