// A receipt, with its key, that the service signed before it used the package jose. Such receipts
// must stay valid.

/** The private key as `receipt_key` stores it, before encryption. */
export const formerKey = "MC4CAQAwBQYDK2VwBCIEIJH4vbjxtBGAaQE/46r/Lg4xCndJa8qb1N4/QxEHL0Nd";

export const formerPublicKey = {
  kty: "OKP",
  crv: "Ed25519",
  x: "9FbgME0OFrpzaHWCq9NcTWjBYgth8U5ydSOVYrtMJHw",
  kid: "GdIep98rTnHm8ySlnZLsflwFrtDF83okQRLqNGhaum4",
  alg: "EdDSA",
  use: "sig",
};

export const formerReceipt = [
  "eyJhbGciOiJFZERTQSIsInR5cCI6ImNvdW50ZXJzaWduLXJlY2VpcHQrand0Iiwia2lkIjoiR2RJZXA5OHJUbkhtOHlTbG5aTHNmbHdGcnRERjgzb2tRUkxxTkdoYXVtNCJ9",
  "eyJpc3MiOiJodHRwOi8vbG9jYWxob3N0OjMwMDAiLCJhdWQiOiJhcHBfMDZoMGw3c3Y0azAwMXQyMm85djlpdnBsYTRwMHY5cWsiLCJvd25lciI6Im93bl8wNmgwbDdzdWhnMDAwNmxiNDE1M2EybnZva2swdTRkcCIsInN1YiI6ImFwcl8wNmgwbDdzdjlvMDAxc2pqZmp2c3VxazdkOGt2MWtzYyIsImlhdCI6MTc5NTQ3NDU2MiwiY29udGVudEhhc2giOiJzaGEyNTY6ZDQwMTgxMjJiZGEyNjZlMzQzMTIwOGJiYTVhYjcyY2UzODRlYTdkMTZlZWVhNGUwNDBkZmQ1ZTNhMjYyNGRhMSIsInJlc29sdXRpb24iOnsia2luZCI6Im9wdGlvbiIsIm9wdGlvbklkIjoic2hpcCIsIm5vdGUiOiJDYXJlZnVsbHkg4oCTIGphLCDigJ5ndXTigJwiLCJyZXNvbHZlZEJ5Ijoib3duZXIiLCJyZXNvbHZlZEF0IjoxNzk1NDc0NTYyOTA5fX0",
  "BMixeDK865_Ymb3AMEmSsQVnC19wxJshY5swIWRg9KccdYTURSoXNWLlnSeAapJkXwhnJOyZ1IPFr--Ml6osDw",
].join(".");
