/** What a wrong command line is told; the process goes on. */
export function refusing(read: () => unknown): string {
  const said = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
  const exit = jest.spyOn(process, 'exit').mockImplementation(() => {
    throw new Error('ended');
  });
  try {
    expect(read).toThrow('ended');
    return said.mock.calls.join();
  } finally {
    said.mockRestore();
    exit.mockRestore();
  }
}
