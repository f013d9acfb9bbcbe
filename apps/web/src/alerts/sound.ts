/** Two soft notes, synthesised so that no file is loaded. Browsers only allow sound after the user has interacted with the page. */
export function playSound(): void {
  try {
    playNotes();
  } catch {
    // The title and the icon still change.
  }
}

function playNotes(): void {
  const context = new AudioContext();
  const note = (frequency: number, at: number) => {
    const oscillator = context.createOscillator();
    const gain = context.createGain();
    oscillator.frequency.value = frequency;
    gain.gain.setValueAtTime(0, context.currentTime + at);
    gain.gain.linearRampToValueAtTime(0.12, context.currentTime + at + 0.02);
    gain.gain.exponentialRampToValueAtTime(0.001, context.currentTime + at + 0.35);
    oscillator.connect(gain).connect(context.destination);
    oscillator.start(context.currentTime + at);
    oscillator.stop(context.currentTime + at + 0.4);
    return oscillator;
  };
  note(660, 0);
  note(880, 0.14).onended = () => void context.close();
}
