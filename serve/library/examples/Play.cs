// A bot plays all seats of a match, in C# as Unity, Godot and .NET have it: Play GAME BOT SEED. Prints each decision with a digest of what a
// network would read, then the returns. libprivateer.so (privateer.dll) lies where the loader finds it; Privateer is all that a project needs.
using System;
using System.Runtime.InteropServices;
using System.Text;

/// <summary>The functions of privateer.h. Texts are UTF-8 and end with a zero.</summary>
static class Privateer
{
    public const long Over = -2, Handle = -10, Short = -14;

    const string Library = "privateer";

    [DllImport(Library, EntryPoint = "privateer_error")] static extern IntPtr Error();
    [DllImport(Library, EntryPoint = "privateer_free")] public static extern long Free(long handle);
    [DllImport(Library, EntryPoint = "privateer_game")] static extern long Game(byte[] game);
    [DllImport(Library, EntryPoint = "privateer_action_name")] public static extern long ActionName(long game, int action, byte[] name, ref long size);
    [DllImport(Library, EntryPoint = "privateer_match")] public static extern long Match(long game, ulong seed);
    [DllImport(Library, EntryPoint = "privateer_seat")] public static extern long Seat(long match);
    [DllImport(Library, EntryPoint = "privateer_apply")] public static extern long Apply(long match, int action);
    [DllImport(Library, EntryPoint = "privateer_mask")] public static extern long Mask(long match, byte[] mask, ref long size);
    [DllImport(Library, EntryPoint = "privateer_observation")] public static extern long Observation(long match, int seat, byte[] observation, ref long size);
    [DllImport(Library, EntryPoint = "privateer_rows")] public static extern long Rows(long match, byte[] rows, ref long size);
    [DllImport(Library, EntryPoint = "privateer_returns")] public static extern long Returns(long match, float[] returns, ref long size);
    [DllImport(Library, EntryPoint = "privateer_bot")] static extern long Bot(long game, byte[] name);
    [DllImport(Library, EntryPoint = "privateer_think")]
    static extern long Think(long bot, long match, ulong seed, IntPtr probabilities, IntPtr actions, IntPtr values, IntPtr seats);

    public static long OpenGame(string game) { return Must(Game(Text(game))); }
    public static long OpenBot(long game, string name) { return Must(Bot(game, Text(name))); }

    /// <summary>The action that a bot chooses for the seat that is to act.</summary>
    public static int Choose(long bot, long match, ulong seed)
    {
        return (int)Must(Think(bot, match, seed, IntPtr.Zero, IntPtr.Zero, IntPtr.Zero, IntPtr.Zero));
    }

    public delegate long Call<T>(T[] buffer, ref long size);

    /// <summary>What a call fills a buffer with, whose size it says itself.</summary>
    public static T[] Filled<T>(Call<T> call)
    {
        long size = 0;
        var buffer = new T[0];
        long n = call(buffer, ref size);
        if (n == Short)
        {
            buffer = new T[size];
            n = call(buffer, ref size);
        }
        Must(n);
        return buffer;
    }

    /// <summary>The result of a call, unless that is an error.</summary>
    public static long Must(long n)
    {
        if (n <= Handle) throw new InvalidOperationException(String(Error()));
        return n;
    }

    static byte[] Text(string text) { return Encoding.UTF8.GetBytes(text + "\0"); }

    static string String(IntPtr text)
    {
        int n = 0;
        while (Marshal.ReadByte(text, n) != 0) n++;
        var bytes = new byte[n];
        Marshal.Copy(text, bytes, 0, n);
        return Encoding.UTF8.GetString(bytes);
    }
}

static class Play
{
    static ulong Digest(params byte[][] all) // FNV-1a
    {
        ulong value = 0xCBF29CE484222325;
        foreach (var data in all)
            foreach (var b in data)
                value = unchecked((value ^ b) * 0x100000001B3);
        return value;
    }

    static int Main(string[] args)
    {
        if (args.Length != 3)
        {
            Console.Error.WriteLine("usage: Play GAME BOT SEED");
            return 2;
        }
        try
        {
            ulong seed = ulong.Parse(args[2]);
            long game = Privateer.OpenGame(args[0]), bot = Privateer.OpenBot(game, args[1]), match = Privateer.Must(Privateer.Match(game, seed));
            for (;;)
            {
                int seat = (int)Privateer.Must(Privateer.Seat(match));
                if (seat == Privateer.Over) break;
                var seen = Digest(
                    Privateer.Filled<byte>((byte[] to, ref long size) => Privateer.Observation(match, seat, to, ref size)),
                    Privateer.Filled<byte>((byte[] to, ref long size) => Privateer.Mask(match, to, ref size)),
                    Privateer.Filled<byte>((byte[] to, ref long size) => Privateer.Rows(match, to, ref size)));
                int action = Privateer.Choose(bot, match, ++seed);
                var name = Privateer.Filled<byte>((byte[] to, ref long size) => Privateer.ActionName(game, action, to, ref size));
                Console.WriteLine("{0} {1} {2:x16}", seat, Encoding.UTF8.GetString(name, 0, name.Length - 1), seen);
                Privateer.Must(Privateer.Apply(match, action));
            }
            foreach (var x in Privateer.Filled<float>((float[] to, ref long size) => Privateer.Returns(match, to, ref size)))
                Console.WriteLine(FormattableString.Invariant($"returns {x:F6}"));
            foreach (var handle in new[] { match, bot, game }) Privateer.Must(Privateer.Free(handle));
            return 0;
        }
        catch (Exception e)
        {
            Console.Error.WriteLine("Play: " + e.Message);
            return 1;
        }
    }
}
