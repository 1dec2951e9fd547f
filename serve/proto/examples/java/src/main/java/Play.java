// A match of Dead Man's Doubloons against the captain: Play ADDRESS. It takes the first legal action, unless the captain advises it otherwise.
import io.grpc.ManagedChannelBuilder;
import privateer.v1.Policy.HostRequest;
import privateer.v1.Policy.PlayRequest;
import privateer.v1.PolicyServiceGrpc;

public class Play {
  public static void main(String[] arguments) {
    var channel = ManagedChannelBuilder.forTarget(arguments[0]).usePlaintext().build();
    var policies = PolicyServiceGrpc.newBlockingStub(channel);
    var table = policies.host(HostRequest.newBuilder().setGame("doubloons(seats=2)").setSeed(7).addSeats("").addSeats("policy:captain").build());
    var move = PlayRequest.newBuilder().setTableId(table.getTableId()).setSeatKey(table.getSeatKeys(0));
    var decisions = 0;
    for (var turn = policies.play(move.build()); ; turn = policies.play(move.build()), decisions++) {
      turn.getLogList().forEach(System.out::println);
      if (turn.getOver()) {
        var returns = turn.getEpisodeReturn().getData().asReadOnlyByteBuffer().order(java.nio.ByteOrder.LITTLE_ENDIAN).asFloatBuffer();
        System.out.printf("over after %d decisions: returns %.2f and %.2f%n", decisions, returns.get(0), returns.get(1));
        break;
      }
      var choice = turn.getLegal(0);
      System.out.printf("%s: %s%n", turn.getText(), choice.getWords());
      move.setDecision(turn.getDecision()).setAction(choice.getAction());
    }
    channel.shutdownNow();
  }
}
