import { type DynamicModule, Controller, Module, Post } from "@nestjs/common";
import { createEngine } from "@riskgate/engine";
import {
  createBlockList,
  type Decision,
  Risk,
  RiskGate,
  RiskGateModule,
  RiskGateWebhookModule,
} from "@riskgate/nest";

// What others wrote must not forge a line of the log or control the terminal that shows it.
const shown = (text: string | undefined): string =>
  JSON.stringify(text ?? "").replace(/[\p{C}\p{Zl}\p{Zp}]/gu, (character) => encodeURI(character));

@Controller()
class SignUpController {
  @Post("signup")
  @RiskGate()
  signUp(@Risk() decision: Decision): object {
    return { created: true, watched: decision.outcome === "flag" };
  }
}

@Module({})
export class AppModule {
  static forRoot(secret: string): DynamicModule {
    const blockList = createBlockList();
    return {
      module: AppModule,
      controllers: [SignUpController],
      imports: [
        // To ask a service instead: RiskGateModule.forRoot({ client: { baseUrl, apiKey }, blockList }).
        RiskGateModule.forRootAsync({
          useFactory: async () => ({ lookup: await createEngine(), blockList }),
        }),
        RiskGateWebhookModule.forRoot({
          path: "/webhooks/security",
          secrets: secret,
          on: {
            security_event: (event) => console.log(`event: ${shown(event.humanized_description)}`),
            pulse: (incident) => console.log(`incident: ${shown(incident.humanized_title)}`),
            security_response: (response) => blockList.apply(response),
            test: () => console.log("test payload received"),
          },
        }),
      ],
    };
  }
}
